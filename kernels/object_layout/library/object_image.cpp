#include "kernels/object_layout/library/object_image.hpp"

#include <algorithm>
#include <memory>

#include "harness/bench/error.hpp"
#include "kernels/object_layout/library/id_table.hpp"

namespace lockstep::object_layout {

namespace {

class Tracer {
public:
    Tracer(ClassModel const& model, Access const& access) : model_(model) {
        image_.model = &model;
        image_.access = access;
        for (ClassDescription const& known : model.classes())
            fields_of_class_.push_back(traced_fields(known));
        image_.hierarchies.reserve(model.classes().size());
        hierarchy_of_root_.assign(model.classes().size(), no_id);
    }

    ObjectImage run(Roots const& base) {
        start(base);
        // The queue holds the objects in the order in which they were met.
        for (std::size_t next = 0; next < queue_.size(); ++next)
            visit(queue_[next]);
        finish();
        return std::move(image_);
    }

private:
    struct Met {
        std::uint32_t hierarchy;
        std::uint32_t id;
    };
    struct Traced {
        FieldDescription const* field;
        std::size_t column;  // index in its hierarchy
    };

    // Returns the reference fields that the section uses, including those of base classes.
    std::vector<FieldDescription const*> traced_fields(ClassDescription const& known) const {
        std::vector<FieldDescription const*> found;
        for (ClassDescription const* at = &known;; at = &model_.classes()[at->base]) {
            for (FieldDescription const& field : at->fields) {
                if (field.kind != FieldKind::number && image_.access.declared(field.name))
                    found.push_back(&field);
            }
            if (at == &model_.classes()[at->base])
                return found;
        }
    }

    std::uint32_t hierarchy_of(unsigned root) {
        if (hierarchy_of_root_[root] == no_id) {
            hierarchy_of_root_[root] = static_cast<std::uint32_t>(image_.hierarchies.size());
            image_.hierarchies.emplace_back().root = root;
            tables_.emplace_back(std::make_unique<IdTable>(image_.hierarchies.back().objects));
            columns_of_class_.emplace_back(model_.classes().size());
            add_columns(image_.hierarchies.back());
        }
        return hierarchy_of_root_[root];
    }

    // Adds a column for each declared field of the hierarchy.
    void add_columns(Hierarchy& hierarchy) {
        auto& columns_of_class = columns_of_class_.back();
        for (unsigned number = 0; number < model_.classes().size(); ++number) {
            ClassDescription const& known = model_.classes()[number];
            if (known.root != hierarchy.root)
                continue;
            for (FieldDescription const& field : known.fields) {
                if (image_.access.declared(field.name))
                    hierarchy.columns.push_back({field.name, &field, {}, {}, 0});
            }
        }
        for (unsigned number = 0; number < model_.classes().size(); ++number) {
            if (model_.classes()[number].root != hierarchy.root)
                continue;
            for (FieldDescription const* const field : fields_of_class_[number]) {
                std::size_t column = 0;
                while (hierarchy.columns[column].field != field)
                    ++column;
                columns_of_class[number].push_back({field, column});
            }
        }
    }

    // Compares addresses first: comparing names takes longer, and there are few classes.
    unsigned class_of(std::type_info const& type) {
        for (auto const& [known, number] : seen_) {
            if (known == &type)
                return number;
        }
        seen_.emplace_back(&type, model_.class_of(type));
        return seen_.back().second;
    }

    Met meet(void const* object, std::type_info const& type) {
        unsigned const number = class_of(type);
        std::uint32_t const hierarchy_index = hierarchy_of(model_.classes()[number].root);
        bool added = false;
        std::uint32_t const id = tables_[hierarchy_index]->find_or_add(object, added);
        if (added) {
            image_.hierarchies[hierarchy_index].tags.push_back(number);
            queue_.push_back({hierarchy_index, id});
        }
        return {hierarchy_index, id};
    }

    void start(Roots const& base) {
        image_.base_ids.reserve(base.objects.size());
        queue_.reserve(base.objects.size());
        for (std::size_t i = 0; i < base.objects.size(); ++i) {
            std::type_info const* const type = base.types.size() == 1 ? base.types[0] : base.types[i];
            if (base.objects[i] == nullptr || type == nullptr) {
                throw bench::Error("element " + std::to_string(i) + " of the base array is null",
                                   "a parallel section needs an object for each element");
            }
            if (i == 0) {
                std::uint32_t const hierarchy_index = hierarchy_of(model_.classes()[class_of(*type)].root);
                tables_[hierarchy_index]->reserve(base.objects.size());
                image_.hierarchies[hierarchy_index].objects.reserve(base.objects.size());
                image_.hierarchies[hierarchy_index].tags.reserve(base.objects.size());
                for (Column& column : image_.hierarchies[hierarchy_index].columns)
                    column.words.reserve(base.objects.size());
            }
            image_.base_ids.push_back(meet(base.objects[i], *type).id);
        }
    }

    void visit(Met const met) {
        unsigned const number = image_.hierarchies[met.hierarchy].tags[met.id];
        void const* const object = image_.hierarchies[met.hierarchy].objects[met.id];
        // Uses indices, because meeting the first object of a hierarchy extends these lists.
        std::size_t const fields = columns_of_class_[met.hierarchy][number].size();
        for (std::size_t i = 0; i < fields; ++i) {
            Traced const traced = columns_of_class_[met.hierarchy][number][i];
            std::uint32_t const value = traced.field->kind == FieldKind::reference
                                            ? follow(*traced.field, object, met)
                                            : follow_all(*traced.field, object, met);
            put(image_.hierarchies[met.hierarchy].columns[traced.column].words, met.id, value);
        }
    }

    static void put(std::vector<std::uint32_t>& words, std::uint32_t id, std::uint32_t value) {
        if (words.size() <= id)
            words.resize(id + std::size_t{1}, no_id);
        words[id] = value;
    }

    [[noreturn]] void refuse_null(FieldDescription const& field, Met const& met) const {
        throw bench::Error("a null reference in " + field.name,
                           "the field of object " + std::to_string(met.id) + " is nullptr",
                           "A section follows every reference that it reads.");
    }

    std::uint32_t follow(FieldDescription const& field, void const* object, Met const& met) {
        Target const target = field.get(object);
        if (target.object == nullptr)
            refuse_null(field, met);
        return meet(target.object, *target.type).id;
    }

    std::uint32_t follow_all(FieldDescription const& field, void const* object, Met const& met) {
        targets_.clear();
        field.get_all(object, targets_);
        Arrays& arrays = image_.arrays;
        arrays.offset.push_back(static_cast<std::uint32_t>(arrays.contents.size()));
        arrays.size.push_back(static_cast<std::uint32_t>(targets_.size()));
        for (Target const& target : targets_) {
            if (target.object == nullptr)
                refuse_null(field, met);
            Met const found = meet(target.object, *target.type);
            arrays.contents.push_back(found.id);
            in_hierarchy_.push_back(found.hierarchy);
        }
        return static_cast<std::uint32_t>(arrays.offset.size() - 1);
    }

    // Fills in the number columns, the tags of polymorphic references and the null values.
    void finish() {
        for (Hierarchy& hierarchy : image_.hierarchies) {
            std::vector<bool> met(model_.classes().size());
            for (std::uint32_t const tag : hierarchy.tags)
                met[tag] = true;
            for (unsigned number = 0; number < met.size(); ++number) {
                if (met[number])
                    hierarchy.classes.push_back(number);
            }
        }
        for (Hierarchy& hierarchy : image_.hierarchies) {
            for (Column& column : hierarchy.columns)
                finish(hierarchy, column);
        }
        bool const tagged = std::any_of(in_hierarchy_.begin(), in_hierarchy_.end(), [&](std::uint32_t hierarchy_index) {
            return image_.hierarchies[hierarchy_index].polymorphic();
        });
        for (std::size_t i = 0; tagged && i < in_hierarchy_.size(); ++i)
            image_.arrays.tags.push_back(image_.hierarchies[in_hierarchy_[i]].tags[image_.arrays.contents[i]]);
    }

    void finish(Hierarchy const& hierarchy, Column& column) {
        std::size_t const count = hierarchy.objects.size();
        std::vector<std::uint8_t> has(model_.classes().size());
        bool everyone = true;
        for (unsigned const number : hierarchy.classes) {
            has[number] = model_.derives(number, column.field->owner) ? 1 : 0;
            everyone = everyone && has[number] != 0;
        }
        column.words.resize(count, column.field->kind == FieldKind::number ? 0 : no_id);
        if (!everyone)
            column.nulls = static_cast<std::uint64_t>(std::count_if(hierarchy.tags.begin(), hierarchy.tags.end(),
                                                                    [&](std::uint32_t tag) { return has[tag] == 0; }));
        if (column.field->kind == FieldKind::number) {
            gather(hierarchy, column, has, everyone);
        } else if (column.field->kind == FieldKind::reference) {
            Hierarchy const* const target = hierarchy_of_type(*column.field->target);
            if (target == nullptr || !target->polymorphic())
                return;
            column.tags.resize(count, no_id);
            for (std::size_t id = 0; id < count; ++id) {
                if (column.words[id] != no_id)
                    column.tags[id] = target->tags[column.words[id]];
            }
        }
    }

    // Gathers runs of consecutive objects that have the field.
    static void gather(Hierarchy const& hierarchy, Column& column, std::vector<std::uint8_t> const& has,
                       bool everyone) {
        std::span<void const* const> const objects(hierarchy.objects);
        if (everyone) {
            column.field->gather(objects, column.words.data());
            return;
        }
        for (std::size_t first = 0; first < objects.size();) {
            std::size_t end = first;
            while (end < objects.size() && has[hierarchy.tags[end]] != 0)
                ++end;
            if (end > first)
                column.field->gather(objects.subspan(first, end - first), column.words.data() + first);
            first = std::max(end, first + 1);
        }
    }

    Hierarchy const* hierarchy_of_type(std::type_info const& type) const {
        std::uint32_t const hierarchy_index = hierarchy_of_root_[model_.classes()[model_.class_of(type)].root];
        return hierarchy_index == no_id ? nullptr : &image_.hierarchies[hierarchy_index];
    }

    ClassModel const& model_;
    ObjectImage image_;
    std::vector<std::vector<FieldDescription const*>> fields_of_class_;
    std::vector<std::vector<std::vector<Traced>>> columns_of_class_;  // by hierarchy, by class
    std::vector<std::uint32_t> hierarchy_of_root_;
    std::vector<std::unique_ptr<IdTable>> tables_;
    std::vector<Met> queue_;
    std::vector<Target> targets_;
    std::vector<std::uint32_t> in_hierarchy_;  // of each element of Arrays::contents
    std::vector<std::pair<std::type_info const*, unsigned>> seen_;
};

unsigned root_of(ObjectImage const& image, Column const& column) {
    return image.model->classes()[column.field->owner].root;
}

// Returns the hierarchy to which a column's references lead; null if none of its objects was met.
Hierarchy const* target_of(ObjectImage const& image, Column const& column) {
    unsigned const root = image.model->classes()[image.model->class_of(*column.field->target)].root;
    for (Hierarchy const& hierarchy : image.hierarchies) {
        if (hierarchy.root == root)
            return &hierarchy;
    }
    return nullptr;
}

}  // namespace

ObjectImage trace(ClassModel const& model, Roots const& base, Access const& access) {
    return Tracer(model, access).run(base);
}

Access access_of(ClassModel const& model, Roots const& base, std::string const& name) {
    Access access;
    std::vector<std::type_info const*> types;
    for (std::type_info const* const type : base.types) {
        // trace() reports null elements.
        if (type != nullptr && std::find(types.begin(), types.end(), type) == types.end())
            types.push_back(type);
    }
    for (std::type_info const* const type : types) {
        MethodDescription const& method = model.find_method(name, model.class_of(*type));
        access.reads.insert(method.reads.begin(), method.reads.end());
        access.writes.insert(method.writes.begin(), method.writes.end());
    }
    return access;
}

bool read_again(ObjectImage const& image, Column& column) {
    if (column.field->kind != FieldKind::number)
        return false;
    bool changed = false;
    for (Hierarchy const& hierarchy : image.hierarchies) {
        if (root_of(image, column) != hierarchy.root)
            continue;
        for (std::uint32_t id = 0; id < hierarchy.objects.size(); ++id) {
            if (!image.model->derives(hierarchy.tags[id], column.field->owner))
                continue;
            std::uint32_t word = 0;
            column.field->gather({&hierarchy.objects[id], 1}, &word);
            changed = changed || word != column.words[id];
            column.words[id] = word;
        }
    }
    return changed;
}

void write_back(ObjectImage const& image, Column const& column) {
    for (Hierarchy const& hierarchy : image.hierarchies) {
        if (root_of(image, column) != hierarchy.root)
            continue;
        Hierarchy const* const target = column.field->kind == FieldKind::reference ? target_of(image, column) : nullptr;
        for (std::uint32_t id = 0; id < hierarchy.objects.size(); ++id) {
            if (!image.model->derives(hierarchy.tags[id], column.field->owner))
                continue;
            void* const object = const_cast<void*>(hierarchy.objects[id]);
            if (column.field->kind == FieldKind::number) {
                column.field->scatter({&object, 1}, &column.words[id]);
            } else if (target != nullptr) {
                if (column.words[id] >= target->objects.size()) {
                    throw bench::Error("a reference in " + column.name + " is invalid",
                                       "id " + std::to_string(column.words[id]) + ", and there are " +
                                           std::to_string(target->objects.size()) + " objects");
                }
                column.field->set(object, const_cast<void*>(target->objects[column.words[id]]));
            }
        }
    }
}

Hierarchy const& ObjectImage::hierarchy_of(std::string const& class_name) const {
    unsigned const root = model->classes()[model->class_named(class_name)].root;
    for (Hierarchy const& hierarchy : hierarchies) {
        if (hierarchy.root == root)
            return hierarchy;
    }
    throw bench::Error("no object of class " + class_name + " was traced", "none is reachable from the base array");
}

Column const& ObjectImage::column(std::string const& field) const {
    for (Hierarchy const& hierarchy : hierarchies) {
        for (Column const& column : hierarchy.columns) {
            if (column.name == field)
                return column;
        }
    }
    throw bench::Error("field " + field + " has no column", "the section does not declare that it reads or writes it");
}

Column& ObjectImage::column(std::string const& field) {
    return const_cast<Column&>(static_cast<ObjectImage const&>(*this).column(field));
}

std::uint32_t ObjectImage::id_of(void const* object) const {
    for (Hierarchy const& hierarchy : hierarchies) {
        auto const found = std::find(hierarchy.objects.begin(), hierarchy.objects.end(), object);
        if (found != hierarchy.objects.end())
            return static_cast<std::uint32_t>(found - hierarchy.objects.begin());
    }
    throw bench::Error("an object was not traced", "it is not reachable from the base array");
}

std::uint64_t ObjectImage::bytes() const {
    std::uint64_t words = arrays.offset.size() + arrays.size.size() + arrays.contents.size() + arrays.tags.size();
    for (Hierarchy const& hierarchy : hierarchies) {
        words += hierarchy.polymorphic() ? hierarchy.tags.size() : 0;
        for (Column const& column : hierarchy.columns)
            words += column.words.size() + column.tags.size();
    }
    return 4 * words;
}

std::uint64_t ObjectImage::null_bytes() const {
    std::uint64_t nulls = 0;
    for (Hierarchy const& hierarchy : hierarchies) {
        for (Column const& column : hierarchy.columns)
            nulls += column.nulls;
    }
    return 4 * nulls;
}

std::uint64_t ObjectImage::bytes_with_one_numbering() const {
    std::uint64_t objects = 0;
    std::uint64_t columns = 1;  // the class tags
    for (Hierarchy const& hierarchy : hierarchies) {
        objects += hierarchy.objects.size();
        columns += hierarchy.columns.size();
    }
    return 4 * (objects * columns + arrays.offset.size() + arrays.size.size() + arrays.contents.size());
}

}  // namespace lockstep::object_layout
